import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { list, type ValueParser } from './value-parsers.ts'

const hostName = /^(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/i

/** An address or name to listen on. */
export const host: ValueParser<string> = {
  expects: 'an IP address or host name',
  hint: 'for example `127.0.0.1`, `::` or `localhost`, without a port',
  parse: (input) => {
    if (typeof input !== 'string') return undefined
    if (isIP(input) !== 0) return input
    // A malformed IPv4 address (`127.0.0.256`, `8080`) must not count as a name.
    return hostName.test(input) && !/^[\d.]+$/.test(input) ? input : undefined
  },
}

const writtenOrigin = /^https?:\/\/[^\s/?#@\\]+\/?$/i

/** Scheme, host and port of a public address, without a trailing slash (`https://files.example`). */
export const origin: ValueParser<string> = {
  expects: 'an http or https address without path and query',
  hint: 'for example `https://files.example`',
  parse: (input) => {
    if (typeof input !== 'string' || !writtenOrigin.test(input)) return undefined
    return URL.parse(input)?.origin
  },
}

/** An origin, or an empty text for none. */
export const optionalOrigin: ValueParser<string> = {
  ...origin,
  parse: (input, base) => (input === '' ? '' : origin.parse(input, base)),
}

const writtenInstance = /^http:\/\/(?:\[[0-9a-f:.]+\]|[^\s/?#@\\:]+):(\d{1,5})\/?$/i

/** Address of the relay listener for other instances (`http://HOST:PORT`), or an empty text for none. */
export const instanceAddress: ValueParser<string> = {
  expects: 'an http address with a port and without a path',
  hint: 'for example `http://10.0.0.5:8081`',
  parse: (input) => {
    if (input === '') return ''
    if (typeof input !== 'string' || !URL.canParse(input)) return undefined
    const [, port] = writtenInstance.exec(input) ?? []
    return port === undefined || Number(port) === 0 ? undefined : input.replace(/\/$/, '')
  },
}

/** An http or https address with any path, or an empty text for none. */
export const optionalAddress: ValueParser<string> = {
  expects: 'an http or https address',
  hint: 'for example `https://login.example/realms/main`',
  parse: (input) => {
    if (input === '') return ''
    if (typeof input !== 'string' || !/^https?:\/\/[^\s@\\]+$/i.test(input)) return undefined
    return URL.canParse(input) ? input : undefined
  },
}

/** Address of a mail server, or an empty text for none. */
export const mailServer: ValueParser<string> = {
  expects: 'an address that begins with `smtp://` or `smtps://`',
  hint: 'for example `smtp://login:password@mail.example:587`, with `%40` for an @ in the login',
  parse: (input) => {
    if (input === '') return ''
    if (typeof input !== 'string' || !/^smtps?:\/\/[^\s/?#]+\/?$/.test(input)) return undefined
    return URL.parse(input)?.hostname ? input : undefined
  },
}

/** A prefix of every URL path: empty, or `/x/y` without a trailing slash. */
export const urlPath: ValueParser<string> = {
  expects: 'a URL path of letters, digits, `.`, `_`, `~` and `-`',
  hint: 'for example `/files`',
  parse: (input) => {
    if (typeof input !== 'string') return undefined
    const segments = input.split('/').filter((segment) => segment !== '')
    const isValid = segments.every(
      (segment) => /^[\w.~-]+$/.test(segment) && segment !== '.' && segment !== '..',
    )
    return isValid ? segments.map((segment) => `/${segment}`).join('') : undefined
  },
}

/** A network such as `10.0.0.0/8`; a single address becomes a network of one. */
export const network: ValueParser<string> = {
  expects: 'a network such as `10.0.0.0/8`',
  parse: (input) => {
    if (typeof input !== 'string') return undefined
    const [address = '', prefix, ...rest] = input.split('/')
    // Stricter than the library, which reads `010.0.0.0` as octal. Addresses of peers have no zone.
    if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return undefined
    const bits = prefix ?? (isIP(address) === 4 ? '32' : '128')
    return ipaddr.isValidCIDR(`${address}/${bits}`) ? `${address}/${bits}` : undefined
  },
}

/** Networks, for a key that holds any number of them. */
export const networks: ValueParser<readonly string[]> = list(network, 'networks (CIDR)', '10.0.0.0/8')
