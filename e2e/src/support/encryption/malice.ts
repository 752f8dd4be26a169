import type { File, Upload } from '@svc/contract'
import type { Page } from 'playwright-core'

/** How a server that has turned against its users changes its responses. */
export interface Malice {
  /** The upload that it shows instead. */
  readonly upload?: (upload: Upload) => Upload
  /** The file whose bytes it delivers instead, by its id. */
  readonly file?: (id: string) => Pick<File, 'id' | 'fileName'>
}

/** Changes the responses that a page gets from its server. */
export async function beMalicious(page: Page, { upload, file }: Malice): Promise<void> {
  await page.unroute(/\/(?:upload|file)\/\w+/)
  await page.route(/\/(?:upload|file)\/\w+/, async (route) => {
    const url = new URL(route.request().url())
    const [, uploadID = '', id] = /\/file\/(\w+)\/(\w+)\//.exec(url.pathname) ?? []
    if (id !== undefined && file !== undefined) {
      const other = file(id)
      const path = `/file/${uploadID}/${other.id}/${encodeURIComponent(other.fileName)}`
      await route.fulfill({ response: await route.fetch({ url: url.origin + path }) })
      return
    }
    const response = await route.fetch()
    const isUpload = upload !== undefined && url.pathname.includes('/upload/')
    await route.fulfill(
      isUpload ? { response, json: upload((await response.json()) as Upload) } : { response },
    )
  })
}

/** The file of an upload with this name or id. */
export function fileOf({ files }: Pick<Upload, 'files'>, wanted: string): File {
  const file = files.find(({ fileName, id }) => fileName === wanted || id === wanted)
  if (file === undefined) throw new Error(`no file ${wanted}`)
  return file
}

/** An upload without a file of this name. */
export const without = (upload: Upload, name: string): Upload => ({
  ...upload,
  files: upload.files.filter(({ fileName }) => fileName !== name),
})
