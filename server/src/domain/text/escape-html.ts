const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for the content of an element, or for the value of an attribute in quotes. */
export const escapeHTML = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
