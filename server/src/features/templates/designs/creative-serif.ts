import type { Design } from '../design.ts'
import { contactLine } from '../parts/contacts.ts'
import { accentRule, column, signature } from '../parts/layout.ts'
import { socialRow } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const creativeSerif: Design = {
  id: 'creative-serif',
  name: 'Editorial',
  description: 'A large serif name and a spaced title, like the cover of a magazine.',
  category: 'creative',
  build: kit => {
    const spaced = { size: 'tiny', bold: true, letterSpacing: 2, textTransform: 'uppercase' } as const
    return signature(16, [
      column(8, [
        nameLine(kit, { size: 'display', font: 'Georgia', bold: false }),
        roleLine(kit, 'job_title', { ...spaced, color: kit.palette.accent }),
      ]),
      accentRule(kit, 32),
      column(0, [
        contactLine(kit, ['work_phone', 'mobile_phone'], { font: 'Georgia' }),
        contactLine(kit, ['email', 'website'], { font: 'Georgia' }),
      ]),
      socialRow(kit),
    ])
  },
}
