"""What do people say in English that only reacts to what the other said, or talks about the talk?"""

from __future__ import annotations

import re

_THAT = r"(?:that|it|this|which|all that|sounds like that|everything)"
_VERY = (
    r"(?:(?:so|really|very|super|pretty|quite|just|actually|such|always|a|an|truly|absolutely|totally"
    r"|definitely|also|all) )*+"
)
_FINE = (
    r"(?:good|great|nice|cool|awesome|amazing|fantastic|wonderful|lovely|fun|incredible|perfect|excellent"
    r"|interesting|helpful"
    r"|useful|impressive|sweet|brilliant|inspiring|beautiful|fair|true|right|wild|crazy|hilarious|funny"
    r"|tough|hard|rough|sad"
    r"|terrible|awful|too bad|a shame|a pity|exciting|reassuring|smart|clever|kind|thoughtful|adorable"
    r"|cute|delicious|neat)"
)
_THING = (
    r"(?: (?:idea|point|tip|tips|advice|suggestion|suggestions|news|plan|question|call|reminder|choice|one"
    r"|story|answer|list))?"
)
_OF_OTHERS = r"(?: (?:of|for) (?:you|him|her|them|you guys|you two|y'all|you both)(?: all| both)?)?"

_LEAD = (
    r"(?:(?:well|wow|oh|ah|haha|hmm|yeah|ok|okay|yes|no|and|but|so|man|gosh|aw+|ugh|oof|damn|geez|yay|lol)[,.! ]+)*+"
)
REACTION = re.compile(
    rf"{_LEAD}(?:"
    rf"(?:that was|{_THAT}(?:'s| is| sounds| looks| seems| would be| must (?:be|have been)| really is)|sounds"
    rf"|looks|how) {_VERY}{_FINE}{_THING}{_OF_OTHERS}(?: to (?:hear|know|see|me))?(?: (?:actually|too|though"
    rf"|indeed|then|thanks|thank you))?|(?:what )?an? {_VERY}{_FINE}{_THING}"
    rf"|{_FINE} (?:idea|point|tip|advice|suggestion|news|plan|question|call|to know|to hear|job|work)"
    rf"|{_THAT} (?:really )?(?:helps|helped|makes sense|works|worked|does|explains it|rings a bell"
    r"|cheered me up)(?: a lot| for me| so much| too| perfectly)?"
    r"|(?:i'll|i will|i think i'll|maybe i'll|i guess i'll|let me|i might|i could|i should|i'm going to"
    r"|i'm gonna|i'd better|we'll|let's) (?:(?:definitely|probably|just|totally|also|maybe|have to"
    r"|go and) )*+(?:(?:give|try|check|look into|look at|consider|do|think about|keep|read|take|see|go with"
    r"|look up|remember|sleep on|get) (?:that|it|this|them|those|one|both|these)(?: one)?(?: (?:out|a (?:try"
    r"|shot|go|look|thought)|in mind|first|then|later|today|tonight|now|over|on))*+|think about it|see|think"
    r"|know|check|get back to you|see how it goes|see what i can do|have a look|take a look"
    r"|let you know(?: how it goes)?)(?: (?:first|then|later|thanks|thank you|soon|for sure|about that"
    r"|about it))*+"
    r"|(?:i )?(?:totally |completely |really |so )?(?:agree|see what you mean|get it|hear you|feel you"
    r"|understand|believe in you|bet|hope so|hope not|guess so|guess not|suppose so|suppose|doubt it"
    r"|don't know|dunno|have no idea|get that|appreciate (?:it|that|you|the help|your help"
    r"|your support)(?: so much| a lot)?)(?: (?:with you|completely|totally))?"
    r"|(?:you(?:'re| are)) (?:absolutely |totally |so |very |really |such an? |an? |the |always )*+(?:right"
    r"|welcome|amazing|awesome|great|kind|sweet|wonderful|best|funny|strong|brave|inspiring|an inspiration"
    r"|inspiration|(?:good|great|amazing|awesome|true|wonderful) (?:friend|person|mom|dad|parent|listener)"
    r"|lifesaver|star|legend|doing great|spot on)"
    r"|you (?:rock|got this|(?:can|will) do (?:it|this)|did (?:it|great|good)|must be (?:so |very "
    r"|really )?\w+|deserve it|make a good point|look great)|you've got this"
    r"|keep (?:it up|up the (?:good|great) work|going|me posted|at it)"
    r"|i(?:'m| am) (?:so |really |very |super |truly |just )*+(?:happy|glad|proud|excited|sorry|thrilled"
    r"|stoked|pleased|jealous|impressed)(?: (?:for|of) (?:you|them|him|her|you guys"
    r"|you both))?(?: to hear (?:that|it|this|about (?:that|it)))?(?: too)?"
    r"|i(?:'m| am) (?:good|fine|ok|okay|great|alright|doing (?:well|great|good|fine|ok|okay|alright)|not bad"
    r"|all (?:good|set)|here|back|just (?:curious|wondering|checking|saying|kidding|joking|chilling|asking)"
    r"|listening|all ears|kidding|curious|bored)(?: (?:too|as well|thanks|thank you|today|now))?"
    r"|(?:just )?(?:wondering|curious|checking|saying|kidding|joking|asking|bored|chatting|saying hi)"
    r"|(?:not|nothing) much|same old(?: same old)?|nothing special|can't complain|so far so good"
    r"|(?:i )?(?:have|got|'ve got) (?:a|one|another|one more|two|some|a few|a couple of) (?:quick |more "
    r"|other |small )*(?:questions?|things?|requests?)(?: (?:for you|to ask))?"
    r"|(?:one more|one last|quick) (?:thing|question)|another (?:thing|question)"
    r"|(?:never mind|nevermind|no worries|no rush|no need|forget about it|let me know(?: what you think"
    r"| how it goes| if you .{1,40})?|take your time|good luck.{0,30}|best wishes|have fun|enjoy|stay safe"
    r"|hang in there|rest well|sleep well|sweet dreams|get well soon|cheers to that)"
    r"|(?:i )?(?:hope|wish|wishing) (?:you|it|that|everything|they|he|she|things)\b.{1,60}"
    r"|(?:i )?can't wait to (?:hear|see (?:it|you|them|that)|try (?:it|them|that))\b.{0,30}"
    r"|looking forward to (?:it|that|hearing from you|seeing you)|(?:fair|good) enough"
    r"|makes (?:total |perfect |a lot of )?sense|my thoughts exactly|good to know|noted|no kidding|no way"
    r"|for real|i wish|will (?:do|try)|we'll see|who knows|it depends|both|either(?: one)? is fine"
    r"|anything is fine|whatever works|up to you|the (?:first|second|third|last) one(?: please)?"
    r"|that one(?: please)?|all of them|none of them"
    r"|(?:it'?s|that'?s) (?:ok|okay|fine|alright|all right|all good|all for now|it|all|what i (?:thought|meant"
    r"|was thinking|needed)|not (?:a|an) (?:problem|issue|big deal)|nothing)(?: (?:then|for now|for today"
    r"|thanks))*+"
    r"|(?:i'm )?(?:so |very |really )*sorry (?:to hear (?:that|it|about .{1,40})|for your loss|about that)"
    r"|(?:just |only )?(?:killing time|hanging out|chilling|passing time)(?: lol| haha)?"
    r"|(?:it|that)(?: all)? (?:works|worked|is working|fixed it|did it)(?: now| perfectly| great)?"
    r"|works(?: now| great| perfectly)?|(?:got it|problem) (?:working|solved|fixed)"
    r"|talk to you (?:later|soon|tomorrow|then)"
    r"|(?:i )?(?:gotta|have to|need to|should|got to|must) (?:go|run|get going|head out|sleep)(?: now"
    r"| to bed)?|i'll be (?:back|right back)|brb|ttyl|gtg|test(?:ing)?(?: test)*+"
    r"|tell me more(?: about (?:it|that))?|go on|say more"
    r")",
    re.IGNORECASE,
)
