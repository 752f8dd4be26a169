import { networks } from '../values/web-value-parsers.ts'
import { budget, bytesBudget } from '../values/value-parsers.ts'
import type { Option } from './option.ts'

/** The defaults are above normal use and below abuse: docs/operating.md explains them. */
export const budgetOptions = {
  BudgetUploads: {
    kind: budget,
    default: 2000,
    help: 'Uploads that one network (an IPv4 address, or the /64 of an IPv6 address) or one account can create within an hour; the keys below have the same scope. See [operating](operating.md#budgets).',
  },
  BudgetFiles: { kind: budget, default: 50_000, help: 'Files that can be declared or added.' },
  BudgetBytesStr: { kind: bytesBudget, default: '100 GB', help: 'Bytes of files that can be uploaded.' },
  BudgetCliCodes: { kind: budget, default: 100, help: 'Command-line logins that can be started.' },
  BudgetPasswordUploads: {
    kind: budget,
    default: 500,
    help: 'Uploads with a password that can be created: each needs a password hash.',
  },
  BudgetQrCodes: { kind: budget, default: 1000, help: 'QR codes that can be created.' },
  BudgetExempt: { kind: networks, default: [], help: 'Networks without budgets.' },
} as const satisfies Record<string, Option<unknown>>
