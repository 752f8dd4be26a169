import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { colorRoles } from './color-roles.ts'

const highlighting = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ color, ...spec }) => {
    const role = typeof color === 'string' ? colorRoles[color] : undefined
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

/** Colours of the theme, and the writing direction of each line. */
export const codeTheme: Extension = [
  frame,
  syntaxHighlighting(highlighting),
  EditorView.perLineTextDirection.of(true),
]
