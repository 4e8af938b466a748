import type { Design } from '../design.ts'
import { contactLine } from '../parts/contacts.ts'
import { column, row, signature } from '../parts/layout.ts'
import { portrait } from '../parts/pictures.ts'
import { fieldToken, line, nameTokens } from '../parts/text.ts'

export const replyPortrait: Design = {
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
}
