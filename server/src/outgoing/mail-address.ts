import { domainToASCII } from 'node:url'

/** The maximum length of an address (RFC 5321 §4.5.3.1). */
const maxAddressLength = 254

/**
 * A local part as RFC 5321 §4.1.2 writes it without quotes, and without what mail servers may route or run by: `%` and `!`
 * name another host, `|` and a leading `/` a program or a file, and a leading `-` an option.
 */
const localPart = /^[\w+&=#~$*?^{}'][\w+&=#~$*?^{}'/-]*(?:\.[\w+&=#~$*?^{}'/-]+)*$/

/** The maximum length of a local part (RFC 5321 §4.5.3.1). */
const maxLocalLength = 64

/** Letters, digits, hyphens and dots of any script, none of them invisible. */
const writtenDomain = /^(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}.-])+$/u

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'

/** A host name whose last label is not a number, as that of an IP address is. */
const domainName = new RegExp(`^(?:${label}\\.)*(?!\\d+$)${label}$`)

/**
 * The form of an address that mail servers understand without SMTPUTF8: the domain in IDNA (RFC 5890).
 * @returns null for a text that is not one address
 */
export function asciiAddress(text: string): string | null {
  const at = text.lastIndexOf('@')
  const [local, domainText] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)]
  if (local.length > maxLocalLength || !localPart.test(local) || !writtenDomain.test(domainText)) return null
  const domain = domainToASCII(domainText)
  const address = `${local}@${domain}`
  return domainName.test(domain) && address.length <= maxAddressLength ? address : null
}

/** Whether a text is one address. Mail servers know which addresses exist. */
export const isAddress = (text: string): boolean => asciiAddress(text) !== null

/** Whether an address leads to another organization's mail server: a domain without a dot is a host of the operator's network. */
export const isPublicAddress = (text: string): boolean =>
  asciiAddress(text)?.split('@')[1]?.includes('.') === true
