import { lastSegment } from '@svc/contract'
import { LanguageDescription } from '@codemirror/language'
import { languages } from '@codemirror/language-data'
import type { Extension } from '@codemirror/state'

/** The highlighting that goes with a file's name; it is fetched. Nothing where the name says nothing. */
export async function codeLanguage(fileName: string): Promise<Extension> {
  const base = lastSegment(fileName)
  const description = LanguageDescription.matchFilename(languages, base)
  if (!description) return []
  try {
    return await description.load()
  } catch {
    // Without a connection the text is shown in one colour.
    return []
  }
}
