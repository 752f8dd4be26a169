import { createHash } from 'node:crypto'
import { hashSync } from 'bcryptjs'
import {
  created,
  expired,
  fileRow,
  md5,
  never,
  userRow,
  type PlikFixture,
  type Rows,
} from './installation.ts'

const quick = 4

export const userPassword = 'sample alice'
export const uploadPassword = 'p:a ss'
export const userToken = 'plik_pEbYllwdN3xRK9RfiKKnDMqejyUGqmalzxS3'

/** What Plik 1.4 stores for the password of an upload. */
function protectedBy(login: string, password: string): Rows {
  const digest = createHash('sha256')
    .update(Buffer.from(`${login}:${password}`).toString('base64'))
    .digest('hex')
  return { protected_by_password: 1, login, password: hashSync(digest, quick) }
}

/** What Plik 1.3 stored. */
const protectedBefore = (login: string, password: string): Rows => ({
  protected_by_password: 1,
  login,
  password: md5(Buffer.from(`${login}:${password}`).toString('base64')),
})

/** Fills an installation with users, tokens and an upload of each kind. */
export async function fillPlik(plik: PlikFixture): Promise<void> {
  const { insert, upload } = plik
  const password = hashSync(userPassword, quick)
  await insert('users', { ...userRow, id: 'local:admin', login: 'admin', password, is_admin: 1 })
  await insert('users', {
    ...userRow,
    id: 'local:alice',
    login: 'alice',
    password,
    name: 'Alice',
    max_ttl: 2_592_000,
  })
  await insert('users', {
    ...userRow,
    id: 'google:bob@example.test',
    provider: 'google',
    login: 'bob@example.test',
  })
  await insert('tokens', { token: userToken, comment: 'laptop', user_id: 'local:alice', created_at: created })
  await upload('plain00000000001', {}, { 'hello.txt': 'hello\n' })
  await upload(
    'several000000001',
    { comments: '**Photos** of Rome' },
    { 'a b.txt': 'one', 'ünïcode – 文件.txt': 'two' },
  )
  await upload('protected0000001', protectedBy('ann', uploadPassword), { 'ann.txt': 'for ann' })
  await upload('protectedearlier', protectedBefore('plik', uploadPassword), { 'old.txt': 'of 1.3' })
  await upload('once000000000001', { one_shot: 1 }, { 'once.txt': 'only once' })
  await upload(
    'ofalice000000001',
    { user: 'local:alice', token: userToken, extend_ttl: 1 },
    { 'report.pdf': '%PDF-1.4' },
  )
  await upload(
    'forever000000001',
    { user: 'local:admin', ttl: -1, expire_at: never, removable: 1 },
    { 'f.txt': 'forever' },
  )
  await upload('sealed0000000001', { e2ee: 'age' }, { 'sealed.age': 'age-encryption.org/v1' })
  await upload('removed000000001', { deleted_at: created }, { 'x.txt': 'x' })
  await upload('expired000000001', { expire_at: expired }, { 'late.txt': 'late' })
  await upload('stream0000000001', { stream: 1 })
  await upload('unfinished000001')
  await insert('files', {
    ...fileRow,
    id: 'never00000000001',
    upload_id: 'unfinished000001',
    name: 'never.bin',
    status: 'missing',
    reference: '0',
  })
}
