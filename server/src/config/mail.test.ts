import { expect, test } from 'vitest'
import { loadToml, problemsOfToml } from './loading.fixture.ts'

const mailServer = `
SvcDomain = "https://svc.example"
MailServer = "smtp://mail.example"
MailFrom = "svc@svc.example"
`

test('links by email need a mail server', () => {
  expect(problemsOfToml('FeatureMail = "enabled"').map(({ message }) => message)).toEqual([
    expect.stringContaining('needs a mail server'),
  ])
  expect(problemsOfToml('FeatureMail = "default"')).toHaveLength(1)
  const { features, notifications } = loadToml(`FeatureMail = "enabled"\nMailsPerUser = 5${mailServer}`)
  expect([features.feature_mail, notifications.linkMail]).toEqual(['enabled', { addressesPerDay: 5 }])
})

test('a mail server alone sends no links', () => {
  expect(loadToml(mailServer).notifications.linkMail).toBeNull()
})
