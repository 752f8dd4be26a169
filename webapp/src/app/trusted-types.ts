/** Trusted Types, which the types of the DOM lack. */
interface PolicyFactory {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ) => unknown
}

/**
 * Allows only scripts and workers of this server. HTML has no rule here: the policies of the sanitizer and of Vue allow it,
 * and the browser refuses other HTML.
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
