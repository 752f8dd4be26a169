/**
 * The languages of the header `Accept-Language` (RFC 9110, 12.5.4), the most preferred first. Those with a weight of 0 and the
 * range `*` are left out.
 */
export const acceptedLanguages = (header: string): string[] =>
  header
    .split(',')
    .map((range) => {
      const [language = '', ...parameters] = range.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
      return { language, weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ language, weight }) => language !== '' && language !== '*' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ language }) => language)
