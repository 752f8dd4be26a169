import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, enter, menu, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { listedNames } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test('a file that never arrived is none of the files for recipients, and is named for the sender', async () => {
  const sdk = await signedIn(server.url)
  const upload = await sdk.createUpload({
    files: ['a.txt', 'b.txt', 'big.bin'].map((fileName) => ({ fileName })),
  })
  for (const file of upload.files)
    if (file.fileName === 'big.bin') await sdk.removeFile(upload.id, file, upload)
    else
      await sdk.addFile(upload.id, new Blob(['x']), { ...upload, fileName: file.fileName, fileID: file.id })

  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(sdk.pageURL(upload))
  await page.getByRole('heading', { name: '2 files for you' }).waitFor()
  expect(await listedNames(page)).toEqual(['a.txt', 'b.txt'])

  await page.goto(`${server.url}/#/login`)
  await enter(page, admin)
  await menu(page).waitFor()
  await page.goto(`${server.url}/#/sent`)
  await page.getByText('1 of 3 files was not uploaded').waitFor()
  await checkState(page, 'sent-not-uploaded')
  await page.goto(`${server.url}/#/home/uploads`)
  await page.getByText('and 1 more file').waitFor()
  expect(pageErrors).toEqual([])
})
