import { expect, test } from 'vitest'
import { findRequestProblem, initialRequest, toNewRequest } from './request-form.ts'

const form = { ...initialRequest(3600, true), title: ' Photos ' }

test('a new form asks for files without limits', () => {
  expect(toNewRequest(form, undefined)).toEqual({
    title: 'Photos',
    message: '',
    ttl: 3600,
    senderName: 'optional',
    oneSender: false,
    maxFiles: -1,
    maxFileSize: -1,
    maxSize: -1,
    extensions: [],
    afterEnd: 'keep',
  })
})

test('limits are typed in megabytes, and extensions with or without dots', () => {
  const typed = {
    ...form,
    maxFiles: '3',
    maxFileSize: '1.5',
    maxSize: '0',
    extensions: '.PDF, jpg;jpg',
    removeAtEnd: true,
  }
  expect(toNewRequest({ ...typed, password: 'p' }, 'age1x')).toMatchObject({
    maxFiles: 3,
    maxFileSize: 1_500_000,
    maxSize: -1,
    extensions: ['pdf', 'jpg'],
    afterEnd: 'remove',
    password: 'p',
    recipient: 'age1x',
  })
})

test('a long message and a missing expiry are problems', () => {
  expect(findRequestProblem(form)).toBe(undefined)
  expect(findRequestProblem({ ...form, ttl: 0 })).toBe('expiry')
  expect(findRequestProblem({ ...form, message: 'é'.repeat(4097) })).toBe('messageLong')
})
