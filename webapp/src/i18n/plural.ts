const order: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other']

/**
 * Which form of a message goes with a number. A message gives its forms in the order zero, one, two, few, many,
 * other, each that the language has: two in English, four in Polish. A message with fewer forms ends in `other`.
 */
export function pluralRule(language: string): (count: number, forms: number) => number {
  const rules = new Intl.PluralRules(language)
  const categories = order.filter((category) => rules.resolvedOptions().pluralCategories.includes(category))
  return (count, forms) => Math.min(categories.indexOf(rules.select(count)), forms - 1)
}
