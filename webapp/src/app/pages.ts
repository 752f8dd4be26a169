/** The pages, each in a file of its own that is fetched on use. */
export const pages = {
  upload: () => import('../upload/UploadPage.vue'),
  download: () => import('../download/DownloadPage.vue'),
} as const

/** Whether an address is that of an upload's page (specification §4, "Static content"). */
export const isDownload = (hash: string) => /[?&]id=/.test(hash)
