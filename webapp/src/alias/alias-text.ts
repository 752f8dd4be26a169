/** What an alias becomes as people type it: keyboards of phones begin with a capital letter, and names have spaces. */
export const aliasText = (typed: string): string => typed.toLowerCase().replaceAll(/[\s-]+/g, '-')
