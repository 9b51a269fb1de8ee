-- Why: Every installation has these templates, under fixed ids, so that people have something to send on the first day.
-- Admins may change, withdraw or delete them like any other, so they are only added to a table without templates. Facts
-- are worded as carefully as what is known about them; links lead to works that have stayed at their addresses for many
-- years.

do $$
begin
  if exists (select from nectar.drop_templates) then
    return;
  end if;

  insert into nectar.drop_templates (id, type, title, content, is_approved)
  select ('00000000-0000-4000-8001-1' || lpad(t.number::text, 11, '0'))::uuid, 'encouragement', t.title, t.content, true
  from (
    values
      (1, 'Still here',
        'I noticed that you keep showing up, even on the slow days. That counts for more than it feels like.'),
      (2, 'No hurry',
        'Whatever today looks like, you do not have to be quick about it. I am glad that you are on your way.'),
      (3, 'Thinking of you',
        'You crossed my mind today, and I wanted you to know. No need to answer.'),
      (4, 'A small step',
        'One small step today is still a step. Pick the easiest one and let it be enough.'),
      (5, 'The hard part',
        'Starting is often the hardest part, and you have done it more often than you remember.'),
      (6, 'A rough day',
        'If today was rough: it is allowed to be. Tomorrow you get a clean page.'),
      (7, 'Your pace',
        'You are going at your own pace, and it is getting you somewhere. I can see it from here.'),
      (8, 'Rest counts',
        'Resting is not falling behind. Take the evening if you need it; the rest will wait for you.'),
      (9, 'Said out loud',
        'Writing things down takes courage. Thank you for being honest with yourself.'),
      (10, 'Remember last month',
        'Think of where you were a month ago. Some of what was heavy then, you carry easily now.'),
      (11, 'Good enough',
        'It does not have to be perfect to be worth doing. Good enough, done today, is a fine result.'),
      (12, 'Beginning again',
        'Missed a few days? Beginning again is a skill, and you are good at it.'),
      (13, 'I believe you',
        'If it feels difficult, that is because it is difficult. You are not making it up, and you are not alone in it.'),
      (14, 'Quiet progress',
        'Most progress makes no noise. I think that you are making some right now.'),
      (15, 'Be kind',
        'Try to speak to yourself today the way that you would speak to me.'),
      (16, 'One good thing',
        'I hope that one good thing finds you today, and that you have a minute to notice it.'),
      (17, 'Asking for help',
        'If you need a hand with anything, ask me. It would be no trouble.'),
      (18, 'Your effort',
        'I do not know how it will turn out, but I know how much you have put into it. I respect that.'),
      (19, 'Celebrate it',
        'Whatever you finished today, take a moment and be pleased with it before the next thing comes.'),
      (20, 'Glad it is you',
        'The world is a bit better organized, or at least a bit friendlier, with you in it.')
  ) t (number, title, content);

  -- Only a video of YouTube has a preview at a known address.
  insert into nectar.drop_templates (id, type, title, content, media_type, media_url, thumbnail_url, is_approved)
  select ('00000000-0000-4000-8001-2' || lpad(t.number::text, 11, '0'))::uuid, 'media', t.title, t.content,
    t.media_type::nectar.media_type, t.media_url,
    case t.media_type when 'youtube' then 'https://i.ytimg.com/vi/' || right(t.media_url, 11) || '/hqdefault.jpg' end, true
  from (
    values
      (1, 'Here Comes the Sun',
        'For the end of a long week: The Beatles, three minutes, and it always works.',
        'youtube', 'https://www.youtube.com/watch?v=KQetemT1sWc'),
      (2, 'Three Little Birds',
        'Bob Marley on the subject of worrying. Best heard by an open window.',
        'youtube', 'https://www.youtube.com/watch?v=HNBCVM4KbUM'),
      (3, 'Lovely Day',
        'Bill Withers holds one note for eighteen seconds. Try to hold it with him.',
        'youtube', 'https://www.youtube.com/watch?v=bEeaS6fuUoA'),
      (4, 'Don''t Stop Me Now',
        'If you need a push for the next half hour, Queen has one ready.',
        'youtube', 'https://www.youtube.com/watch?v=HgzGwKwLmgM'),
      (5, 'Don''t Worry, Be Happy',
        'Every sound in this song was made by one person''s voice and hands. It made me smile, maybe you too.',
        'youtube', 'https://www.youtube.com/watch?v=d-diB65scQU'),
      (6, 'Paint along',
        'Half an hour with Bob Ross, a few trees and not one mistake. Good company for a tired evening.',
        'youtube', 'https://www.youtube.com/watch?v=lLWEXRAnQd0'),
      (7, 'Pale Blue Dot',
        'Carl Sagan on a very small picture of the Earth. It puts most of my worries into proportion.',
        'youtube', 'https://www.youtube.com/watch?v=wupToqz1e2g'),
      (8, 'Dancing everywhere',
        'One man, a rather bad dance, and people all over the world who join in.',
        'youtube', 'https://www.youtube.com/watch?v=zlfKdbWwruY'),
      (9, 'Something quiet',
        'Weightless, by Marconi Union. Put it on, put the phone away, and breathe for eight minutes.',
        'youtube', 'https://www.youtube.com/watch?v=UfcAVejslrU'),
      (10, 'Thirty days',
        'A talk of three minutes about trying something new for thirty days. It may be just long enough.',
        'youtube', 'https://www.youtube.com/watch?v=UNP03fDSj1U'),
      (11, 'What makes a good life',
        'What a study that has followed people for more than eighty years says about a good life. It begins with each other.',
        'youtube', 'https://www.youtube.com/watch?v=8KkKuTCFvzI'),
      (12, 'The power of vulnerability',
        'Brené Brown on letting oneself be seen. It came to my mind when I thought of you.',
        'youtube', 'https://www.youtube.com/watch?v=iCvmsMzlF7o'),
      (13, 'Treadmills',
        'Four friends, eight treadmills, one take, and a great deal of practice beforehand.',
        'youtube', 'https://www.youtube.com/watch?v=dTAAsCNK7RA'),
      (14, 'Clair de lune',
        'Debussy on a piano, for the last minutes of your day.',
        'youtube', 'https://www.youtube.com/watch?v=WNcsUNKlAKw'),
      (15, 'The Mountain',
        'A week of stars, clouds and dust above Spain''s highest mountain, in three minutes.',
        'vimeo', 'https://vimeo.com/22439234'),
      (16, 'Our planet from above',
        'The Earth at night as the space station sees it. Worth a full screen and a dark room.',
        'vimeo', 'https://vimeo.com/32001208'),
      (17, 'Move',
        'Three friends, eleven countries, one minute of walking. For when the day felt narrow.',
        'vimeo', 'https://vimeo.com/27246366'),
      (18, 'What a Wonderful World',
        'Louis Armstrong, for a walk home or the washing up.',
        'spotify', 'https://open.spotify.com/track/29U7stRjqHU6rMiS8BfaI9'),
      (19, 'Mr. Blue Sky',
        'Five minutes of Electric Light Orchestra against grey weather of every kind.',
        'spotify', 'https://open.spotify.com/track/2RlgNHKcydI9sayD2Df2xp'),
      (20, 'Sounds of space',
        'Recordings from NASA''s missions. Choose one at random and listen to somewhere far away.',
        'soundcloud', 'https://soundcloud.com/nasa')
  ) t (number, title, content, media_type, media_url);

  insert into nectar.drop_templates (id, type, title, content, is_approved)
  select ('00000000-0000-4000-8001-3' || lpad(t.number::text, 11, '0'))::uuid, 'science_tidbit', t.title, t.content, true
  from (
    values
      (1, 'Writing it down',
        'Across many studies, people who wrote about what moved them, a few minutes on several days, felt a little better later on. The effect is small, but it has been found again and again.'),
      (2, 'Naming a feeling',
        'Putting a feeling into words tends to take some of its force away. Researchers call it affect labelling. "I am nervous" is a useful sentence.'),
      (3, 'Sleep on it',
        'While you sleep, your brain goes on working on what you learned and makes memories more stable. Going to bed can be part of the work.'),
      (4, 'A walk and your mood',
        'Even a single bout of moderate exercise, such as a brisk walk, lifts most people''s mood for a while afterwards.'),
      (5, 'Habits take their time',
        'In one well-known study a new daily habit took 66 days on average to feel automatic, anything from 18 to 254. Missing a single day made hardly any difference.'),
      (6, 'If, then',
        'A plan in the form of "if it is eight o''clock, then I put my shoes on" makes it clearly more likely that people do what they intend to. Psychologists have tested it in many studies.'),
      (7, 'Small doses',
        'What is learned in several short sessions stays longer than the same time spent in one. It is among the best supported findings about learning.'),
      (8, 'Try to recall it',
        'Trying to remember something strengthens the memory more than reading it once more, even when it feels harder.'),
      (9, 'Slow breathing',
        'Breathing slowly, about six times a minute, lets the pulse rise and fall with the breath and helps many people to calm down.'),
      (10, 'Morning light',
        'Daylight is the strongest signal that sets the clock in your body. Light in the morning helps you to get tired at a good time in the evening.'),
      (11, 'Green minutes',
        'People who spend time in parks, woods or by the water report better well-being on average. In one large study it showed from about two hours a week.'),
      (12, 'A brain that changes',
        'Your brain keeps changing its connections for as long as you live. Practice leaves traces in it that can be seen.'),
      (13, 'The people around you',
        'Good relationships go together with better health and longer lives. Large reviews find the link as clear as that of many well-known risks.'),
      (14, 'Counting good things',
        'In experiments, people who regularly wrote down what they were grateful for became slightly more content than those who did not.'),
      (15, 'Plans run late',
        'Nearly everybody underestimates how long their own tasks take, even those who were late the last time. It is called the planning fallacy, and it is no flaw of yours alone.'),
      (16, 'Recovery builds strength',
        'Training gives your muscles the signal; much of the rebuilding happens in the hours and days after it. Rest is when it pays off.'),
      (17, 'Laughing together',
        'People laugh far more often in company than alone, and mostly at things that are not jokes. Laughter is above all a way of being together.'),
      (18, 'Eight minutes',
        'The sunlight on your face left the Sun a little more than eight minutes ago. It has come a long way to be here.'),
      (19, 'Made of stars',
        'Nearly all the carbon and oxygen in your body was made inside stars that shone before the Sun existed.'),
      (20, 'Dancing directions',
        'Honeybees tell each other the way to flowers by dancing: the angle gives the direction, the length of the waggle the distance. Passing on something good is very old.')
  ) t (number, title, content);
end
$$;
