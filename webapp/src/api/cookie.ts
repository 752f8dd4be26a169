/**
 * The value of a cookie; undefined when there is none of this name.
 * @param cookies as `document.cookie` gives them; of several of one name the first has the closest path
 */
export function cookieValue(cookies: string, name: string): string | undefined {
  const found = cookies.split(/; */).find((cookie) => cookie.startsWith(`${name}=`))
  return found === undefined ? undefined : found.slice(name.length + 1)
}
