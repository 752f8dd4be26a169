const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const time = '\\d{2}:\\d{2}:\\d{2}'

/** The three forms that a recipient must read (RFC 9110 §5.6.7); all of them are UTC. */
const forms: readonly RegExp[] = [
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d{2} ${month} \\d{4} ${time} GMT$`),
  new RegExp(`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \\d{2}-${month}-\\d{2} ${time} GMT$`),
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${month} (?:\\d{2}| \\d) ${time} \\d{4}$`),
]

/**
 * Reads an HTTP date.
 * @returns ms since the epoch, or null for anything else: such a value must be ignored
 */
export function parseHttpDate(value: string): number | null {
  if (!forms.some((form) => form.test(value))) return null
  const date = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`)
  return Number.isNaN(date) ? null : date
}
