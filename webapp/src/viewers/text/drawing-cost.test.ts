import { expect, test } from 'vitest'
import { isCostlyDrawing } from './drawing-cost.ts'

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${content}</svg>`
const levels = (count: number, level: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => level(at)).join('')

const copies = (reference: (id: string) => string) =>
  svg(
    `<defs><g id="g0"><rect/></g>${levels(9, (at) => `<g id="g${String(at + 1)}">${reference(`g${String(at)}`).repeat(10)}</g>`)}</defs>${reference('g9')}`,
  )
const patterns = (attributes: (at: number) => string, style = '') =>
  svg(
    `<style>${style}</style>${levels(9, (at) => `<pattern id="p${String(at)}">${`<rect ${attributes(at)}/>`.repeat(10)}</pattern>`)}<rect fill="url(#p8)"/>`,
  )
const shadow = '<filter id="f"><feOffset/><feGaussianBlur stdDeviation="2"/><feBlend/></filter>'

test.for([
  ['copies of copies', copies((id) => `<use href="#${id}"/>`)],
  ['with a prefix', copies((id) => `<x:use xlink:href='#${id}'></x:use>`)],
  ['with escapes', copies((id) => `<use href="&#35;${id}"/>`)],
  ['patterns of patterns', patterns((at) => `fill="url(#p${String(at - 1)})"`)],
  ['in style attributes', patterns((at) => `style="fill: url('#p${String(at - 1)}')"`)],
  [
    'in a style sheet',
    patterns(
      (at) => `class="c${String(at)}"`,
      levels(9, (at) => `.c${String(at + 1)}{fill:url(#p${String(at)})}`),
    ),
  ],
  [
    'a pattern for each of many elements',
    svg(`<pattern id="p">${'<a/>'.repeat(400)}</pattern><g fill="url(#p)">${'<a/>'.repeat(400)}</g>`),
  ],
  [
    'many steps of filters',
    svg(`<filter id="f">${'<feTurbulence/>'.repeat(100)}</filter>${'<rect filter="url(#f)"/>'.repeat(100)}`),
  ],
  ['drawings in drawings', svg('<image href="data:image/svg+xml,x"/>')],
  ['references in a circle', svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>')],
  ['a style sheet apart', `<?xml-stylesheet href="data:text/css,x"?>${svg('<rect/>')}`],
  [
    'more copies than a number holds',
    svg(
      `<defs><g id="g0"><rect/></g>${levels(400, (at) => `<g id="g${String(at + 1)}">${`<use href="#g${String(at)}"/>`.repeat(10)}</g>`)}</defs><use href="#g400"/>`,
    ),
  ],
  ['entities', `<!DOCTYPE svg [<!ENTITY a "<rect/>">]>${svg('&a;')}`],
  ['very many elements', svg('<rect/>'.repeat(60_000))],
  [
    'a very long row of references',
    svg(levels(20_000, (at) => `<g id="g${String(at)}"><use href="#g${String(at + 1)}"/></g>`)),
  ],
] as const)('costly: %s', ([, text]) => {
  expect(isCostlyDrawing(text)).toBe(true)
})

test.for([
  ['a map', svg('<path d="M0 0 9 9" style="fill:#abc"/>'.repeat(20_000))],
  ['icons that are copied', svg(`<symbol id="i"><path/><path/></symbol>${'<use href="#i"/>'.repeat(1000)}`)],
  [
    'gradients and clips of a style sheet',
    svg(
      `<style>.a{fill:url(#l)}${levels(20, (at) => `.b${String(at)}{clip-path:url(#c${String(at)})}`)}</style><linearGradient id="l"><stop/><stop/></linearGradient>` +
        levels(20, (at) => `<clipPath id="c${String(at)}"><rect/></clipPath>`) +
        '<rect class="a b1"/>'.repeat(2000),
    ),
  ],
  [
    'a clip for everything',
    svg(`<clipPath id="c"><rect/></clipPath><g clip-path="url(#c)">${'<rect/>'.repeat(10_000)}</g>`),
  ],
  ['shadows', svg(`${shadow}${'<g filter="url(#f)"><rect/></g>'.repeat(100)}`)],
  ['a link to the drawing', svg('<g id="a"><a href="#a"><rect/></a></g>')],
  [
    'entities for namespaces',
    `<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]>${svg('<rect/>')}`,
  ],
  ['comments', svg(`<!-- ${'<rect/>'.repeat(60_000)} --><rect/>`)],
  ['what is not SVG', 'hello'],
] as const)('drawn: %s', ([, text]) => {
  expect(isCostlyDrawing(text)).toBe(false)
})

test.for([
  '<!--',
  '<?',
  '<![CDATA[',
  '<style>',
  '<a',
  '<a "',
  "<a b='",
  '<a a',
  '<a  ',
  'url(',
  '&#1',
  'data: ',
])('a megabyte of %j is read in one pass', (text) => {
  expect(isCostlyDrawing(text.repeat(1_000_000 / text.length))).toBe(false)
})
