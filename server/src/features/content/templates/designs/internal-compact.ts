import type { Design } from '../design.ts'
import { letterLine } from '../parts/contacts.ts'
import { barred, column, signature } from '../parts/layout.ts'
import { fieldToken, line, nameTokens } from '../parts/text.ts'

export const internalCompact: Design = {
  id: 'internal-compact',
  name: 'Compact',
  description: 'For colleagues: name, department and numbers beside a small bar.',
  category: 'internal',
  build: kit =>
    signature([
      barred(
        kit,
        column([
          line(
            'Name',
            ...nameTokens(kit, { size: 'body' }),
            fieldToken(kit, 'department', { color: kit.palette.muted }, { prefix: ' · ' }),
          ),
          letterLine(kit, ['work_phone', 'mobile_phone'], { size: 'small' }),
        ]),
        { thickness: 3, gap: 12 },
      ),
    ]),
}
