/**
 * Has the browser download an address by itself. Unlike a navigation, a refusal then does not take people from the
 * page to the bare answer of the server.
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
