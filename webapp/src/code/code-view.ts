import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { minimalSetup } from 'codemirror'
import { codeLanguage } from './code-language.ts'
import { codeTheme } from './code-theme.ts'
import { hasLongLine } from './long-line.ts'

export interface CodeViewOptions {
  readonly parent: HTMLElement
  readonly text: string
  readonly fileName: string
  /** Label for screen readers. */
  readonly label: string
  /** Called with every change; without it the text is read-only. */
  readonly onChange?: (text: string) => void
}

/** Code in an editor, or read-only. */
export function createCodeView({ parent, text, fileName, label, onChange }: CodeViewOptions) {
  const language = new Compartment()
  const reading = [EditorState.readOnly.of(true), EditorView.editable.of(false)]
  const writing = EditorView.updateListener.of(({ docChanged, state }) => {
    if (docChanged) onChange?.(state.doc.toString())
  })
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      minimalSetup,
      lineNumbers(),
      codeTheme,
      // To wrap a line of megabytes blocks the page for seconds.
      hasLongLine(text) ? [] : EditorView.lineWrapping,
      language.of([]),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      onChange ? writing : reading,
    ],
  })
  const nameChanged = async (name: string) => {
    const found = await codeLanguage(name)
    view.dispatch({ effects: language.reconfigure(found) })
  }
  void nameChanged(fileName)
  return {
    nameChanged,
    focus: () => {
      view.focus()
    },
    destroy: () => {
      view.destroy()
    },
  }
}
