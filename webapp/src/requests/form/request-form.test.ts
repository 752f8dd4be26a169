import type { UploadRequest } from '@svc/contract'
import { expect, test } from 'vitest'
import { findRequestProblem, formOf, initialRequest, toNewRequest, toUpdate } from './request-form.ts'

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
    uploadTTL: 3600,
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

const request: UploadRequest = {
  id: 'r',
  title: 'Photos',
  message: '',
  expireAt: null,
  open: true,
  maxFiles: 3,
  maxFileSize: 1_500_000,
  maxSize: -1,
  extensions: ['pdf'],
  senderName: 'optional',
  recipient: '',
  closed: false,
  oneSender: false,
  protectedByPassword: true,
  uploadTTL: -1,
  afterEnd: 'keep',
  uploads: 0,
  unseen: 0,
  files: 0,
  size: 0,
  createdAt: '2026-11-27T01:00:00.000Z',
}

test('a request that is not edited has no changes, also of limits that are not whole megabytes', () => {
  expect(toUpdate(formOf(request), request)).toEqual({})
  const odd = { ...request, maxSize: 1_234_567, maxFileSize: 1 }
  expect(toUpdate(formOf(odd), odd)).toEqual({})
})

test('only what was edited is changed', () => {
  const edited = {
    ...formOf(request),
    title: 'Reports ',
    maxFiles: '',
    extensions: 'pdf, txt',
    uploadTTL: 86_400,
    removeAtEnd: true,
  }
  expect(toUpdate(edited, request)).toEqual({
    title: 'Reports',
    maxFiles: -1,
    extensions: ['pdf', 'txt'],
    uploadTTL: 86_400,
    afterEnd: 'remove',
  })
})

test.for([
  [{ password: '' }, {}],
  [{ password: 'new' }, { password: 'new' }],
  [{ password: 'new', removePassword: true }, { password: '' }],
] as const)('the password fields %j change %j', ([fields, update]) => {
  expect(toUpdate({ ...formOf(request), ...fields }, request)).toEqual(update)
})
