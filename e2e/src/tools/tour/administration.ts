import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { logIn, menu, signedIn, withAccounts } from '../../support/accounts.ts'
import { opened } from '../../support/page-actions.ts'
import type { StartedServer } from '../../support/server.ts'
import { sendFile } from '../../support/uploads.ts'
import { newPage, newServer, newUser, type TourSection, type TourContext } from './tour-context.ts'

const dayMs = 86_400_000

/** Daily statistics of three months: more on weekdays, and slowly more. */
function addStatistics({ folder }: StartedServer): void {
  using database = new DatabaseSync(path.join(folder, 'svc.db'), { timeout: 15_000 })
  const insertion = database.prepare('insert or ignore into dailyFigures (day, name, value) values (?, ?, ?)')
  for (let age = 1; age <= 90; age += 1) {
    const date = new Date(Date.now() - age * dayMs)
    const isWeekend = date.getUTCDay() % 6 === 0
    const uploads = Math.round((isWeekend ? 12 : 40) * (1.4 - age / 120) * (1 + 0.2 * Math.sin(age * 2.3)))
    const day = date.toISOString().slice(0, 10)
    const values: Readonly<Record<string, number>> = {
      uploads,
      files: uploads * 3,
      downloads: uploads * 5,
      bytesIn: uploads * 41_000_000,
      bytesOut: uploads * 97_000_000,
      'size:1000000': uploads,
      'size:10000000': uploads * 2,
      'option:e2ee': Math.round(uploads / 3),
      'option:oneShot': Math.round(uploads / 5),
      'option:password': Math.round(uploads / 8),
      'ttl:86400': Math.round(uploads / 2),
      'ttl:604800': Math.round(uploads / 3),
    }
    for (const [name, value] of Object.entries(values)) insertion.run(day, name, value)
  }
}

async function administering(tour: TourContext): Promise<void> {
  const { screenshot } = tour
  const server = await newServer(tour, withAccounts)
  addStatistics(server)
  const sdk = await signedIn(server.url)
  for (const [login, name] of [
    ['alan', 'Alan Turing'],
    ['grace', 'Grace Hopper'],
    ['katherine', ''],
    ['maria', 'Maria Sibylla Merian, of the department of insects and plants'],
  ] as const)
    await sdk.createUser({
      provider: login === 'grace' ? 'local' : 'oidc',
      login,
      name,
      ...(login === 'grace' && { password: 'three days', maxUserSize: 5_000_000_000 }),
    })
  for (const name of ['holiday.jpg', 'report.pdf', 'budget.xlsx']) await sendFile(sdk, name, 30_000)
  await sdk.createUploadRequest({ title: 'Photos of the party' })
  const page = await newPage(tour, server.url)
  await logIn(page, server.url)
  const show = async (address: string) => {
    await page.goto(`${server.url}/#${address}`)
    await opened(page)
  }
  await show('/admin/stats')
  await page.getByRole('slider', { name: 'Sent' }).waitFor()
  await screenshot(page, 'statistics', 'Statistics', { tall: true })
  await show('/admin/users')
  await page.locator('.who').nth(4).waitFor()
  await screenshot(page, 'users', 'Users')
  await show('/admin/user?id=local:grace')
  await page.getByRole('heading', { level: 1, name: 'grace' }).waitFor()
  await screenshot(page, 'user', 'A user', { tall: true })
  await show('/admin/user')
  await screenshot(page, 'user-new', 'A new user', { tall: true })
  await show('/admin/uploads')
  await page.getByText('3 uploads').waitFor()
  await screenshot(page, 'all-uploads', 'All uploads')
  await show('/admin/requests')
  await page.getByText('Photos of the party').waitFor()
  await screenshot(page, 'all-requests', 'All requests')
  await show('/admin/user?id=local:grace')
  await page.getByRole('button', { name: 'Act as this user' }).click()
  await menu(page, 'grace').waitFor()
  await show('/home/stats')
  await page.getByText('of 5 GB used').waitFor()
  await screenshot(page, 'impersonating', 'Acting as another user')
}

async function refusing(tour: TourContext): Promise<void> {
  const { page } = await newUser(tour, 'mary')
  await page.goto(`${tour.accounts.url}/#/admin/stats`)
  await page.getByRole('heading', { name: 'Admins only' }).waitFor()
  await tour.screenshot(page, 'admins-only', 'A page for admins')
}

export const administration: TourSection = { title: 'Administration', steps: { administering, refusing } }
