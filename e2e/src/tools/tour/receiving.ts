import { manifestName } from '@svc/contract'
import { createClient } from '@svc/sdk'
import { expire } from '../../support/expire.ts'
import { beMalicious, without } from '../../support/encryption/malice.ts'
import { flip, openOptions, send } from '../../support/page-actions.ts'
import { newPage, openPage, readyToSend, upload, type TourSection, type TourContext } from './tour-context.ts'

const report = ['report.pdf']
const namesOf = ({ sampleFiles }: TourContext) => sampleFiles.map(({ name }) => name)

async function several(tour: TourContext): Promise<void> {
  const { screenshot } = tour
  const { link } = await upload(tour, namesOf(tour), { comments: 'Three days in **Rome**.' })
  const page = await openPage(tour, link)
  await page.locator('.thumbnail img').first().waitFor()
  await screenshot(page, 'received', 'Files for a recipient')
}

async function folders(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const { link } = await upload(
    tour,
    namesOf(tour),
    {},
    { pathOf: (name) => (name === 'report.pdf' ? name : `Rome/${name}`) },
  )
  const page = await openPage(tour, link)
  await page.locator('.thumbnail img').first().waitFor()
  await screenshot(page, 'folders', 'Files in folders')
  const names = ['Rome', 'Florence', 'Venice'].flatMap((city) =>
    Array.from(
      { length: 12 },
      (_, index) => `Italy/${city}/Day ${String(1 + Math.floor(index / 4))}/photo ${String(index + 1)}.jpg`,
    ),
  )
  const sdk = createClient({ baseURL: open.url })
  const many = await sdk.createUpload({
    files: ['packing list.txt', ...names].map((fileName) => ({ reference: fileName, fileName })),
  })
  for (const { id: fileID, fileName } of many.files)
    await sdk.addFile(many.id, new Blob(['x'.repeat(900)]), {
      fileName,
      fileID,
      uploadToken: many.uploadToken,
    })
  const other = await openPage(tour, sdk.pageURL(many))
  await screenshot(other, 'many', 'Many files: folders are closed')
}

async function single(tour: TourContext): Promise<void> {
  const { screenshot } = tour
  const [photo = ''] = namesOf(tour)
  const page = await openPage(tour, (await upload(tour, [photo])).link)
  await page.locator('.hero .thumbnail img').waitFor()
  await screenshot(page, 'file', 'A single file')
  await page.getByRole('button', { name: `QR code of ${photo}` }).click()
  await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
  await screenshot(page, 'qr-code', 'Its QR code')
}

async function once(tour: TourContext): Promise<void> {
  const { screenshot } = tour
  const { link } = await upload(tour, report, { oneShot: true })
  const page = await openPage(tour, link)
  await screenshot(page, 'one-time', 'A file for one download')
  await page.getByRole('link', { name: 'Download', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await screenshot(page, 'one-time-asked', 'The page asks before the only download')
  await page.getByRole('button', { name: 'Download now' }).click()
  await page.getByRole('heading', { name: 'You have it' }).waitFor()
  await screenshot(page, 'downloaded', 'It was downloaded')
  const late = await openPage(tour, link)
  await late.getByRole('heading', { name: 'Downloaded, and gone' }).waitFor()
  await screenshot(late, 'taken', 'Someone else has downloaded it')
}

async function limited(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const sent = await upload(tour, report, { maxDownloads: 2 })
  const [file] = (await sent.sdk.upload(sent.id)).files
  if (file === undefined) throw new Error('the upload has no file')
  const get = async () => (await fetch(createClient({ baseURL: open.url }).fileURL(sent, file))).arrayBuffer()
  await get()
  const page = await openPage(tour, sent.link)
  await page.getByText('1 of 2 downloads left').waitFor()
  await screenshot(page, 'limited', 'A file with a download limit')
  await get()
  await page.reload()
  await page.getByRole('heading', { name: 'No downloads left' }).waitFor()
  await screenshot(page, 'used-up', 'All downloads are used')
}

async function locked(tour: TourContext): Promise<void> {
  const { screenshot } = tour
  const page = await openPage(tour, (await upload(tour, report, { password: 'three days' })).link)
  await page.getByLabel('Password').waitFor()
  await screenshot(page, 'password', 'A password is needed')
  await page.getByLabel('Password').fill('two days')
  await page.keyboard.press('Enter')
  await page.getByText('Wrong password.').waitFor()
  await screenshot(page, 'password-wrong', 'The password is wrong')
}

async function encrypted(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const sender = await newPage(tour, open.url)
  await readyToSend(tour, sender, open.url)
  await openOptions(sender)
  await flip(sender, 'End-to-end encryption')
  const link = await send(sender)
  const page = await openPage(tour, link)
  await page.getByText('These files are encrypted').waitFor()
  await page.locator('.thumbnail img').first().waitFor()
  await screenshot(page, 'encrypted', 'Encrypted files')
  const [address = ''] = link.split('#key=')
  const keyless = await openPage(tour, address)
  await keyless.getByRole('link', { name: 'Download report.pdf' }).click()
  const dialog = keyless.getByRole('dialog', { name: 'Passphrase' })
  await dialog.getByLabel('Passphrase', { exact: true }).fill('three days')
  await screenshot(keyless, 'passphrase', 'The link has no key')
  await dialog.getByRole('button', { name: 'Open', exact: true }).click()
  await dialog.getByText('Wrong passphrase').waitFor()
  await screenshot(keyless, 'passphrase-wrong', 'The passphrase is wrong')
  const refused = await newPage(tour, open.url)
  await beMalicious(refused, { upload: (upload) => without(upload, manifestName) })
  await refused.goto(link)
  await refused.getByText('Do not use these files').waitFor()
  await screenshot(refused, 'refused', 'Files that the sender may not have sent')
}

async function owner(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const sent = await upload(tour, namesOf(tour), { comments: 'Three days in **Rome**.' })
  const { files } = await sent.sdk.upload(sent.id)
  for (const [index, agent] of ['curl/8.0', 'Mozilla/5.0 Firefox/140.0', 'svc/1', 'Wget/1.21'].entries()) {
    const file = files[index % files.length]
    if (file === undefined) continue
    const headers = { 'user-agent': agent, ...(index === 3 && { range: 'bytes=0-9999' }) }
    await (await fetch(createClient({ baseURL: open.url }).fileURL(sent, file), { headers })).arrayBuffer()
  }
  const page = await openPage(tour, `${open.url}/#/?id=${sent.id}&uploadToken=${sent.uploadToken}`)
  await page.getByRole('button', { name: 'Delete upload' }).waitFor()
  await screenshot(page, 'owner', 'The page of an upload for its sender', { tall: true })
  await page.getByRole('button', { name: 'Downloads' }).click()
  await page.getByRole('list', { name: 'Downloads' }).getByRole('listitem').nth(3).waitFor()
  await screenshot(page, 'activity', 'Its downloads', { tall: true })
  await page.getByRole('button', { name: 'Delete upload' }).click()
  await page.getByRole('dialog').waitFor()
  await screenshot(page, 'deleting', 'The page asks before it deletes')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Upload deleted' }).waitFor()
  await screenshot(page, 'removed', 'The upload is deleted')
}

async function arriving(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const sdk = createClient({ baseURL: open.url })
  const files = namesOf(tour).map((fileName) => ({ reference: fileName, fileName }))
  const created = await sdk.createUpload({ files })
  const [first] = created.files
  await sdk.addFile(created.id, new Blob([new Uint8Array(tour.sampleFiles[0]?.buffer ?? [])]), {
    fileName: first?.fileName ?? '',
    fileID: first?.id,
    uploadToken: created.uploadToken,
  })
  const page = await openPage(tour, sdk.pageURL(created))
  await page.getByText('Not uploaded yet').first().waitFor()
  await page.locator('.thumbnail img').first().waitFor()
  await screenshot(page, 'arriving', 'Files are still arriving')
}

async function ended(tour: TourContext): Promise<void> {
  const { open, screenshot } = tour
  const sent = await upload(tour, ['report.pdf', 'budget.xlsx'])
  const page = await openPage(tour, sent.link)
  const { files } = await sent.sdk.upload(sent.id)
  for (const file of files) await sent.sdk.removeFile(sent.id, file, { uploadToken: sent.uploadToken })
  await page.reload()
  await page.getByRole('heading', { name: 'These files are no longer available' }).waitFor()
  await screenshot(page, 'files-removed', 'The sender has deleted the files')
  const expiring = await upload(tour, report)
  expire(open, expiring.id)
  const gone = await openPage(tour, expiring.link)
  await gone.getByRole('heading', { name: 'No longer available' }).waitFor()
  await screenshot(gone, 'gone', 'The link has expired, or never worked')
  const [file] = (await (await upload(tour, report)).sdk.upload(sent.id)).files
  const direct = await newPage(tour, open.url)
  await direct.goto(`${open.url}/file/${sent.id}/${file?.id ?? ''}/report.pdf`)
  await screenshot(direct, 'gone-file', 'The address of a file that is gone', { foreign: true })
}

export const receiving: TourSection = {
  title: 'Receiving',
  steps: { several, folders, single, once, limited, locked, encrypted, arriving, owner, ended },
}
