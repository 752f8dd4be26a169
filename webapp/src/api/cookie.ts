/**
 * The value of a cookie; undefined when there is none of this name.
 * @param cookies value of `document.cookie`; the first of several with one name has the closest path
 */
export function cookieValue(cookies: string, name: string): string | undefined {
  const found = cookies.split(/; */).find((cookie) => cookie.startsWith(`${name}=`))
  return found === undefined ? undefined : found.slice(name.length + 1)
}
