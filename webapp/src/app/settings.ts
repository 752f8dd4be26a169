import { stripComments } from './strip-comments.ts'

/** What whoever runs the server says about its look (specification §4, "Static content"). */
export interface Settings {
  readonly name: string
  /** `light`, `dark`, `auto`, or the name of a theme that a style sheet brings. */
  readonly theme: string
  /** `auto`, or a language such as `de`. */
  readonly language: string
  /** HTML; takes precedence over the contact for abuse. */
  readonly footer: string
}

const defaults: Settings = { name: '', theme: 'auto', language: 'auto', footer: '' }

/** Reads settings from JSON with comments. What is unknown or of another type is left at its default. */
export function parseSettings(text: string): Settings {
  const given: unknown = JSON.parse(stripComments(text))
  if (typeof given !== 'object' || given === null) return defaults
  const field = (name: keyof Settings): string => {
    const value: unknown = Reflect.get(given, name)
    return typeof value === 'string' ? value : defaults[name]
  }
  return { name: field('name'), theme: field('theme'), language: field('language'), footer: field('footer') }
}

/** Never fails: a missing or broken file must not keep people from their files. */
export async function loadSettings(baseURL: string): Promise<Settings> {
  try {
    const response = await fetch(`${baseURL}/settings.json`)
    return response.ok ? parseSettings(await response.text()) : defaults
  } catch {
    return defaults
  }
}
