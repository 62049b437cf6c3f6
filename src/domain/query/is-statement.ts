/** Whether words state or demand something, unlike those that name a thing: "the button flickers", "rename the button". In doubt, they do. */
export function isStatement(words: string): boolean {
  return (
    VERB.test(words) || DEMAND.test(words) || ENDS_IN_VERB.test(words.replace(/[\s\0.,;:!?]{1,99}$/, ''))
  );
}

const VERB =
  /(?:^|[\s\0])(?:how|wh(?:at|en|ere|ich|o|y)|is|are|was|were|do|does|did|has|have|had|can|could|may|might|must|should|will|would|cannot|i|we|you|they|it|always|never|only|still|\S{1,20}n['’]t|(?:break|connect|crash|lead|load|run|show|start|stop|throw)e?s|comes?|goe?s?|(?:appear|exist|fail|flicker|hang|happen|mean|need|occur|pass|render|reproduce|seem|stall|succeed|work)(?:e?s)?)(?=$|[\s.,;:!?])/i;
const DEMAND =
  /^[\s\0]*(?:(?:add|allow|create|delete|disable|enable|fix|make|put|remove|rename|replace|write)\s|(?!(?:about|all|find|for|in|list|on|show)\b)[a-z]{1,30}\s{1,9}(?:an?|our|my|the|these|this|those)\s)/i;
/** "the migration failed"; after an article also "the button flickers", unlike "rebase conflicts". */
const ENDS_IN_VERB =
  /(?:[a-z]{3}ed|(?<=(?:^|[\s\0])(?:an?|our|my|the|this|that)\s[^\0]{1,99})(?<!\s(?:an?|and|for|from|in|my|of|on|our|that|the|this|to|with))\s[a-z-]{1,40}[^s\W]s)$/i;
