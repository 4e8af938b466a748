import type { Design } from '../design.ts'
import { contactLine, letterLine } from '../parts/contacts.ts'
import { accentRule, below, signature } from '../parts/layout.ts'
import { socialRow } from '../parts/pictures.ts'
import { nameLine, roleLine, spaced } from '../parts/text.ts'

export const creativeSerif: Design = {
  id: 'creative-serif',
  name: 'Editorial',
  description: 'A large serif name and a spaced title, like the cover of a magazine.',
  category: 'creative',
  build: kit =>
    signature([
      nameLine(kit, { size: 'display', font: 'Georgia', bold: false }),
      below(4, roleLine(kit, 'job_title', { ...spaced, letterSpacing: 2, color: kit.palette.accent })),
      below(16, accentRule(kit, 32)),
      below(12, contactLine(kit, ['email', 'website'], { font: 'Georgia' })),
      letterLine(kit, ['work_phone', 'mobile_phone'], { font: 'Georgia' }),
      below(16, socialRow(kit)),
    ]),
}
