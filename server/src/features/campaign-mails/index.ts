export { campaignMailJobs, queueMails } from './jobs.ts'
