/** The pages of a first visit. Each is a chunk that is loaded on use. */
export const frequentPages = {
  upload: async () => {
    const [page, buttons] = await Promise.all([
      import('../upload/UploadPage.vue'),
      import('../upload/files/capture-buttons.ts'),
    ])
    await buttons.prepareCaptureButtons()
    return page
  },
  download: () => import('../download/DownloadPage.vue'),
} as const
