// The gallery, in the order of GET /v1/templates.
import type { Design } from '../design.ts'
import { corporateAccentBar } from './corporate-accent-bar.ts'
import { corporateCard } from './corporate-card.ts'
import { corporateClassic } from './corporate-classic.ts'
import { corporateExecutive } from './corporate-executive.ts'
import { corporateLetterhead } from './corporate-letterhead.ts'
import { corporateProfile } from './corporate-profile.ts'
import { creativePanel } from './creative-panel.ts'
import { creativePortraitTop } from './creative-portrait-top.ts'
import { creativeSerif } from './creative-serif.ts'
import { educationCampus } from './education-campus.ts'
import { educationFaculty } from './education-faculty.ts'
import { healthClinic } from './health-clinic.ts'
import { healthPractice } from './health-practice.ts'
import { internalCompact } from './internal-compact.ts'
import { internalDirectory } from './internal-directory.ts'
import { legalChambers } from './legal-chambers.ts'
import { legalCounsel } from './legal-counsel.ts'
import { minimalOneLine } from './minimal-one-line.ts'
import { minimalStack } from './minimal-stack.ts'
import { replyPortrait } from './reply-portrait.ts'
import { replyTwoLines } from './reply-two-lines.ts'
import { salesBanner } from './sales-banner.ts'
import { salesContactCard } from './sales-contact-card.ts'
import { salesMeeting } from './sales-meeting.ts'

export const designs: readonly Design[] = [
  corporateClassic,
  corporateProfile,
  corporateLetterhead,
  corporateAccentBar,
  corporateCard,
  corporateExecutive,
  salesMeeting,
  salesBanner,
  salesContactCard,
  creativeSerif,
  creativePortraitTop,
  creativePanel,
  legalCounsel,
  legalChambers,
  healthClinic,
  healthPractice,
  educationFaculty,
  educationCampus,
  minimalOneLine,
  minimalStack,
  replyTwoLines,
  replyPortrait,
  internalDirectory,
  internalCompact,
]
