// All tools, in the order in which clients list them.
import type { ToolDefinition } from '../tool.ts'
import { analyticsTools } from './analytics.ts'
import { campaignTools } from './campaigns.ts'
import { deliveryTools } from './delivery.ts'
import { documentationTools } from './documentation.ts'
import { peopleTools } from './people.ts'
import { previewTools } from './previews.ts'
import { recipientTools } from './recipients.ts'
import { removalTools } from './removal.ts'
import { signatureTools } from './signatures.ts'
import { workspaceTools } from './workspace.ts'

export const toolDefinitions: readonly ToolDefinition[] = [
  ...workspaceTools,
  ...signatureTools,
  ...previewTools,
  ...recipientTools,
  ...peopleTools,
  ...deliveryTools,
  ...campaignTools,
  ...analyticsTools,
  ...documentationTools,
  ...removalTools,
]
