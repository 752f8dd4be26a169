import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWithin, loginRoute, paths, safeReturnTo } from './paths.ts'

describe('after a login', () => {
  test.for([
    '/',
    '/?id=abc&file=def',
    '/?id=abc#key=secret//x',
    '/?id=abc&manifest=1#key=secret',
    '/cli-auth?code=ABCD-EFGH',
    '/cli-auth?next=https://evil.example',
    '/clients',
    '/home/uploads?sort=size&after=abc',
    '/admin/user?id=local:ada',
  ])('one comes back to %s', (target) => {
    expect(safeReturnTo(target)).toBe(target)
  })

  test.for([
    undefined,
    '',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    '/%2fevil.example',
    '/%5cevil.example',
    ' //evil.example',
    '/ /evil.example',
    '/\t/evil.example',
    '/\n',
    '/.//evil.example',
    '/login',
    '/login?next=/login',
    '/clients/../../evil',
    '/CLIENTS',
    '/home//evil.example',
    '/home/uploads/../../evil',
    '/admin/anything',
    '/no/such/page',
    'evil.example/?id=1',
    '?id=1',
    '#/',
  ])('%j leads home', (target) => {
    expect(safeReturnTo(target)).toBe('/')
  })

  test('any target stays within this page', () => {
    const parts = fc.constantFrom(
      '/',
      '\\',
      '//',
      '?',
      '#',
      ':',
      '@',
      '.',
      '%2f',
      'evil.example',
      'clients',
      'home',
      'uploads',
      '\t',
    )
    const hostile = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.array(parts, { maxLength: 8 }).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(hostile, (target) => {
        const { origin, pathname } = new URL(safeReturnTo(target), 'https://send.example/')
        expect(origin).toBe('https://send.example')
        expect(Object.values(paths)).toContain(pathname)
        expect(pathname).not.toBe(paths.login)
      }),
      { numRuns: 2000 },
    )
  })
})

test('the link to the login page contains the present page', () => {
  expect([
    loginRoute('/'),
    loginRoute('/?id=a#key=b'),
    loginRoute('/login?next=/'),
    loginRoute('//x'),
  ]).toEqual([
    { path: '/login', query: {} },
    { path: '/login', query: { next: '/?id=a#key=b' } },
    { path: '/login', query: {} },
    { path: '/login', query: {} },
  ])
})

test('an area is its path and the paths below it, not paths with the same prefix', () => {
  const inside = ['/home', '/home/', '/home/uploads', '/homes', '/', '/admin/home'].filter((path) =>
    isWithin('/home', path),
  )
  expect(inside).toEqual(['/home', '/home/', '/home/uploads'])
})
