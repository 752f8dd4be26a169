import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/**
 * Maps the colors of the editor's default style, which suit only a white background, to those of the themes. Other elements
 * have the text color.
 */
const roles: Readonly<Record<string, string>> = {
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

const colours = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ color, ...spec }) => {
    const role = typeof color === 'string' ? roles[color] : undefined
    return { ...spec, ...(role !== undefined && { color: role }) }
  }),
)

const frame = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: '0.875rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)', paddingBlock: 'var(--space-3)' },
  '.cm-gutters': { color: 'var(--ink-soft)', backgroundColor: 'var(--surface)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { paddingInline: 'var(--space-3) var(--space-2)', minWidth: '2.5rem' },
  '.cm-cursor, .cm-dropCursor': { borderColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-wash)',
  },
  '.cm-specialChar': { color: 'var(--danger)' },
})

/** Colors of the theme, and the writing direction of each line. */
export const codeTheme: Extension = [
  frame,
  syntaxHighlighting(colours),
  EditorView.perLineTextDirection.of(true),
]
