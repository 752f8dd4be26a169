/**
 * Makes the browser download an address. Unlike with a navigation, the page stays open when the server refuses.
 */
export function startDownload(url: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.rel = 'noopener'
  document.body.append(link)
  link.click()
  link.remove()
}
