import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtInThemes } from '../settings/theme-names.ts'

const folder = import.meta.dirname
type Palette = ReadonlyMap<string, string>

const tokens = await readFile(path.join(folder, '../styles/tokens.css'), 'utf8')
const added = (await readdir(folder)).filter((file) => file.endsWith('.css'))

/** The colours of a style sheet by their names; of two, the light or the dark one. */
function paletteOf(css: string, half: 0 | 1): Palette {
  const found = css.matchAll(/--([\w-]+):\s*(?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g)
  return new Map(
    Array.from(found, ([, name = '', light = '', dark = '', plain]) => [
      name,
      plain ?? (half === 0 ? light : dark),
    ]),
  )
}

const palettes: readonly (readonly [string, Palette])[] = [
  ['light', paletteOf(tokens, 0)],
  ['dark', paletteOf(tokens, 1)],
  ...(await Promise.all(
    added.map(
      async (file) =>
        [path.parse(file).name, paletteOf(await readFile(path.join(folder, file), 'utf8'), 0)] as const,
    ),
  )),
]

/** Relative luminance of a colour `#rrggbb` (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(color: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(color), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** What stands on what, somewhere in the application. */
const texts: Readonly<Record<string, readonly string[]>> = {
  ink: ['paper', 'surface', 'sunken', 'accent-wash'],
  'ink-soft': ['paper', 'surface', 'sunken'],
  accent: ['paper', 'surface', 'sunken', 'accent-wash'],
  'accent-strong': ['paper', 'surface', 'sunken', 'accent-wash'],
  'on-accent': ['accent', 'accent-strong'],
  danger: ['paper', 'surface', 'danger-wash'],
  notice: ['paper', 'surface', 'notice-wash'],
}

/** Pairs with less contrast than they need, with what they have. */
function tooFaint(
  palette: Palette,
  pairs: Readonly<Record<string, readonly string[]>>,
  least: number,
): string[] {
  return Object.entries(pairs).flatMap(([name, grounds]) =>
    grounds.flatMap((ground) => {
      const has = contrast(palette.get(name) ?? '', palette.get(ground) ?? '')
      return has >= least ? [] : [`${name} on ${ground}: ${has.toFixed(2)}`]
    }),
  )
}

test('every named theme exists, and no other', () => {
  expect(palettes.map(([name]) => name).sort()).toEqual([...builtInThemes].sort())
})

describe.for(palettes)('%s', ([name, palette]) => {
  test('has every colour', () => {
    expect([...palette.keys()]).toEqual([...paletteOf(tokens, 0).keys()])
  })

  test('has readable contrasts', () => {
    expect(tooFaint(palette, texts, name === 'bright' || name === 'contrast' ? 7 : 4.5)).toEqual([])
  })

  test('has visible borders of controls', () => {
    expect(tooFaint(palette, { 'line-strong': ['paper', 'surface'] }, 3)).toEqual([])
  })
})
