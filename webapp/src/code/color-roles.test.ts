import { defaultHighlightStyle } from '@codemirror/language'
import { expect, test } from 'vitest'
import { colorRoles } from './color-roles.ts'

test('every colour of the default style has a role, except those of definitions', () => {
  const colors = new Map(
    defaultHighlightStyle.specs.flatMap(({ color, tag }) =>
      typeof color === 'string' ? [[color, String(tag)]] : [],
    ),
  )
  expect(Object.keys(colorRoles).filter((color) => !colors.has(color))).toEqual([])
  expect([...colors].filter(([color]) => !Object.hasOwn(colorRoles, color)).map(([, tag]) => tag)).toEqual([
    'definition(variableName)',
    'local(variableName)',
    'definition(propertyName)',
  ])
})
