/** Cost up to which an SVG is drawn. An element costs 1; tens of thousands draw in about a second. */
const maxCost = 30_000

/** A copy costs as much as several elements, and a step of a filter visits every pixel. */
const useCost = 10
const filterStepCost = 50

interface SvgElement {
  readonly name: string
  readonly children: SvgElement[]
  /** Ids of elements that it repeats in its place. */
  readonly copied: readonly string[]
  /** Ids of elements with which it and every element in it are painted. */
  readonly painted: readonly string[]
  /** Ids of elements that are applied to it once. */
  readonly applied: readonly string[]
}

interface Total {
  /** Elements, with copies. */
  readonly count: number
  readonly cost: number
}

const nothing: Total = { count: 0, cost: 0 }

/** Sums are cut off here: beyond the largest number they would no longer compare. */
const enough = 1e9

/** A reference in a circle: browsers draw nothing for it, but how many times depends on where they enter the circle. */
const circular: Total = { count: 1, cost: maxCost + 1 }

/** What is not an element, by its beginning, and its end. */
const skipped = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', ''],
] as const

// None of these looks for its end again and again: a hostile text would make that take forever.
const tag = /<(\/?)([^\s/>]+)(?=[\s/>])((?:"[^"]*"|'[^']*'|[^"'>])*)>/y
const attribute = /(?:^|\s)([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const reference = /url\(\s*["']?#([^"')\s]+)/g
/** Entities can hide anything; those of drawing programs are addresses of namespaces. */
const oddEntity = /<!ENTITY(?!\s+\w+\s+["']https?:\/\/[\w./-]*["']\s*>)/
/** Drawings and style sheets in addresses, or apart from the elements. */
const nested = /data:\s*(?:image\/svg|text\/css)|<\?xml-stylesheet/i
/** Elements whose reference does not repeat its target. */
const pointing = /^(?:a|animate\w*|set)$/
const onceApplied = /^(?:clip-path|mask|filter)$/

const referencesOf = (value: string) => Array.from(value.matchAll(reference), ([, id = '']) => id)

const withoutEscapes = (text: string) =>
  text.replaceAll(/&#(x?)([\da-f]+);/gi, (_, hex: string, digits: string) => {
    const code = Number.parseInt(digits, hex === '' ? 10 : 16)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
  })

function readElement(fullName: string, attributes: string): [element: SvgElement, id: string | undefined] {
  const name = fullName.replace(/^.*:/, '')
  const copied: string[] = []
  const painted: string[] = []
  const applied: string[] = []
  let id: string | undefined
  for (const [, key = '', double, single] of attributes.matchAll(attribute)) {
    const value = withoutEscapes(double ?? single ?? '')
    if (key === 'id') id = value
    else if (/^(?:\w+:)?href$/.test(key)) {
      if (value.trim().startsWith('#') && !pointing.test(name)) copied.push(value.trim().slice(1))
    } else (onceApplied.test(key) ? applied : painted).push(...referencesOf(value))
  }
  return [{ name, children: [], copied, painted, applied }, id]
}

/** The position after `end`, or after the text. */
function positionAfter(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from)
  return found === -1 ? text.length : found + end.length
}

/** The elements of an SVG, those at the top and those with an id, and its style sheets. Text that is not XML ends it. */
function readElements(text: string) {
  const top: SvgElement[] = []
  const byID = new Map<string, SvgElement>()
  const open: SvgElement[] = []
  let styles = ''
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const other = skipped.find(([start]) => text.startsWith(start, at))
    if (other) {
      at = positionAfter(text, other[1], at + other[0].length)
      continue
    }
    tag.lastIndex = at
    const [whole = '', end, name = '', attributes = ''] = tag.exec(text) ?? []
    if (whole === '') break
    at += whole.length
    if (end === '/') {
      open.pop()
      continue
    }
    const [element, id] = readElement(name, attributes)
    if (id !== undefined && !byID.has(id)) byID.set(id, element)
    ;(open.at(-1)?.children ?? top).push(element)
    if (attributes.endsWith('/')) continue
    open.push(element)
    if (element.name === 'style') {
      const start = at
      at = text.indexOf('</', start)
      styles += text.slice(start, at === -1 ? undefined : at)
      if (at === -1) break
    }
  }
  return { top, byID, styles }
}

function ownCost(name: string): number {
  if (name === 'use') return useCost
  return /^fe[A-Z]/.test(name) ? filterStepCost : 1
}

/** Sums up elements, each as often as it is drawn. */
function createCounter(byID: ReadonlyMap<string, SvgElement>) {
  const totals = new Map<SvgElement, Total>()
  const totalOf = (element: SvgElement | undefined): Total => {
    if (element === undefined) return nothing
    const known = totals.get(element)
    if (known) return known
    totals.set(element, circular)
    const target = (id: string) => totalOf(byID.get(id))
    const parts = [...element.children.map(totalOf), ...element.copied.map(target)]
    const count = parts.reduce((sum, part) => sum + part.count, 1)
    const paint = element.painted.reduce((sum, id) => sum + target(id).cost, 0)
    const once = element.applied.reduce((sum, id) => sum + target(id).cost, 0)
    const cost = parts.reduce((sum, part) => sum + part.cost, ownCost(element.name) + once + count * paint)
    const total = { count: Math.min(count, enough), cost: Math.min(cost, enough) }
    totals.set(element, total)
    return total
  }
  return totalOf
}

/** The cost of a whole SVG. */
function costOf(svg: string): number {
  const { top, byID, styles } = readElements(svg)
  const totalOf = createCounter(byID)
  const drawn = top.reduce((sum, element) => sum + totalOf(element).cost, 0)
  // Selectors decide which elements a style sheet paints: perhaps each in what paints another.
  return [...new Set(referencesOf(styles))].reduce((product, id) => {
    const target = byID.get(id)
    if (target === undefined || target.name.endsWith('Gradient')) return product
    return product * Math.max(1, totalOf(target).count - 1)
  }, drawn)
}

/**
 * Estimates whether an SVG would block the page when it is drawn: a small file can draw an element billions of times through
 * references to references. The estimate reads the text only, because Trusted Types keep such text from the browser's parser.
 */
export function isCostlyDrawing(svg: string): boolean {
  if (oddEntity.test(svg) || nested.test(withoutEscapes(svg))) return true
  try {
    return costOf(svg) > maxCost
  } catch (error) {
    // References so long in a row that they exceed the stack.
    if (error instanceof RangeError) return true
    throw error
  }
}
