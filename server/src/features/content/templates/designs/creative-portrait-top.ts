import type { Design } from '../design.ts'
import { contactLine, letterLine } from '../parts/contacts.ts'
import { below, signature } from '../parts/layout.ts'
import { portrait, socialRow } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const creativePortraitTop: Design = {
  id: 'creative-portrait-top',
  name: 'Centre stage',
  description: 'Everything centred below a round portrait, with social profiles on coloured discs.',
  category: 'creative',
  build: kit =>
    signature(
      [
        portrait(kit, 96),
        below(12, nameLine(kit, { size: 'title' })),
        roleLine(kit, 'job_title', { size: 'lead', color: kit.palette.accent }),
        below(8, contactLine(kit, ['email', 'website'])),
        letterLine(kit, ['work_phone', 'mobile_phone']),
        below(12, socialRow(kit, { size: 28, gap: 8, discs: true, align: 'center' })),
      ],
      { align: 'center' },
    ),
}
