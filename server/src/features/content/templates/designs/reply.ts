import type { Design } from '../design.ts'
import { contactLine, letterLine } from '../parts/contacts.ts'
import { column, row, signature } from '../parts/layout.ts'
import { portrait } from '../parts/pictures.ts'
import { fieldToken, line, nameTokens } from '../parts/text.ts'

export const replyDesigns: readonly Design[] = [
  {
    id: 'reply-two-lines',
    name: 'Two lines',
    description: 'For replies: the name with the title, and the numbers to call.',
    category: 'reply',
    build: kit =>
      signature([
        line(
          'Name',
          ...nameTokens(kit, { size: 'body', color: kit.palette.accent }),
          fieldToken(kit, 'job_title', { color: kit.palette.muted }, { prefix: ' – ' }),
        ),
        letterLine(kit, ['work_phone', 'mobile_phone', 'email'], { size: 'small' }),
      ]),
  },
  {
    id: 'reply-portrait',
    name: 'Small portrait',
    description: 'For replies: a small round portrait beside two lines.',
    category: 'reply',
    build: kit =>
      signature([
        row(
          12,
          [
            portrait(kit, 40),
            column([
              line(
                'Name',
                ...nameTokens(kit, { size: 'body' }),
                fieldToken(kit, 'job_title', { color: kit.palette.muted }, { prefix: ' · ' }),
              ),
              contactLine(kit, ['email', 'work_phone'], { size: 'small' }),
            ]),
          ],
          { verticalAlign: 'middle', wrap: false },
        ),
      ]),
  },
]
