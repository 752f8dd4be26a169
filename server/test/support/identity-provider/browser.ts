import { CookieJar } from 'tough-cookie'

const maxRedirects = 20

/**
 * A browser at a provider: follows its redirects with its cookies, and submits the form of its consent page.
 * @param choice the form, as the user fills it
 * @returns the address outside of the provider to which it redirects the browser; the address is not opened
 */
export async function submitConsent(
  consentURL: string,
  choice: Readonly<Record<string, string>>,
): Promise<URL> {
  const cookies = new CookieJar()
  const { origin } = new URL(consentURL)
  let address = new URL(consentURL)
  let form: URLSearchParams | null = null
  for (let hop = 0; hop < maxRedirects; hop++) {
    if (address.origin !== origin) return address
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: await cookies.getCookieString(address.href) },
      ...(form !== null && { method: 'POST', body: form }),
    })
    for (const cookie of response.headers.getSetCookie()) await cookies.setCookie(cookie, address.href)
    const location = response.headers.get('location')
    const page = await response.text()
    if (location !== null) {
      address = new URL(location, address)
      form = null
    } else if (response.status === 200 && form === null) {
      form = new URLSearchParams(choice)
    } else {
      throw new Error(`the provider responded with ${String(response.status)}: ${page.slice(0, 500)}`)
    }
  }
  throw new Error('the provider redirects for ever')
}
