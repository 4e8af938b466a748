import type { Design } from '../design.ts'
import { letterLine } from '../parts/contacts.ts'
import { signature } from '../parts/layout.ts'
import { fieldToken, line, nameTokens } from '../parts/text.ts'

export const replyTwoLines: Design = {
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
}
