import { lastSegment } from '@svc/contract'
import { LanguageDescription } from '@codemirror/language'
import { languages } from '@codemirror/language-data'
import type { Extension } from '@codemirror/state'

/** Loads the highlighting for a file name; none for unknown extensions. */
export async function codeLanguage(fileName: string): Promise<Extension> {
  const base = lastSegment(fileName)
  const description = LanguageDescription.matchFilename(languages, base)
  if (!description) return []
  try {
    return await description.load()
  } catch {
    // Without a connection the text has no highlighting.
    return []
  }
}
