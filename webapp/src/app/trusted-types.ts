/** As far as the types of the DOM do not know Trusted Types. */
interface PolicyFactory {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ) => unknown
}

/**
 * Lets scripts and workers be started from this server only. HTML gets no rule here: it enters the page through its own
 * two policies, of the sanitizer and of Vue, and everything else is refused by the browser.
 */
export function installTrustedTypes(): void {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory }
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => {
      const { origin, protocol } = new URL(url, document.baseURI)
      if (origin === location.origin && protocol === location.protocol) return url
      throw new TypeError(`no script is taken from ${origin}`)
    },
  })
}
