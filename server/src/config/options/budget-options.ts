import { networks } from '../values/web-value-parsers.ts'
import { budget, bytesBudget } from '../values/value-parsers.ts'
import type { Option } from './option.ts'

/** Defaults that no honest person meets, and no flood passes: docs/operating.md has the arithmetic. */
export const budgetOptions = {
  BudgetUploads: {
    kind: budget,
    default: 2000,
    help: 'Uploads that one network (an IPv4 address, or the /64 of an IPv6 address) or one account may create within an hour; the same for the keys below. See [operating](operating.md#budgets).',
  },
  BudgetFiles: { kind: budget, default: 50_000, help: 'Files that may be declared or added.' },
  BudgetBytesStr: { kind: bytesBudget, default: '100 GB', help: 'Bytes of files that may be received.' },
  BudgetCliCodes: { kind: budget, default: 100, help: 'Command-line logins that may be started.' },
  BudgetPasswordUploads: {
    kind: budget,
    default: 500,
    help: 'Uploads with a password that may be created: each costs a hash.',
  },
  BudgetQrCodes: { kind: budget, default: 1000, help: 'QR codes that may be drawn.' },
  BudgetExempt: { kind: networks, default: [], help: 'Networks whose clients have no budgets.' },
} as const satisfies Record<string, Option<unknown>>
