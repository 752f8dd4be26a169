/**
 * The colours of CodeMirror's default style, which suit only a white background, with those of the themes that replace them.
 * Other elements, such as definitions, have the text colour. The keys are the values of the installed version: the test fails
 * if another version has others.
 */
export const colorRoles: Readonly<Record<string, string>> = {
  '#708': 'var(--accent)',
  '#219': 'var(--notice)',
  '#164': 'var(--notice)',
  '#a11': 'var(--danger)',
  '#e40': 'var(--danger)',
  '#085': 'var(--accent-strong)',
  '#167': 'var(--accent-strong)',
  '#256': 'var(--accent-strong)',
  '#940': 'var(--ink-soft)',
  '#404740': 'var(--ink-soft)',
  '#f00': 'var(--danger)',
}
