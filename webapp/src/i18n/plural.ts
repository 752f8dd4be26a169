const order: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other']

/**
 * The form of a message for a number. Forms are in the order zero, one, two, few, many, other, as far as the language has
 * them: two in English, four in Polish. The last form of a message with fewer forms is `other`.
 */
export function pluralRule(language: string): (count: number, forms: number) => number {
  const rules = new Intl.PluralRules(language)
  const categories = order.filter((category) => rules.resolvedOptions().pluralCategories.includes(category))
  return (count, forms) => Math.min(categories.indexOf(rules.select(count)), forms - 1)
}
