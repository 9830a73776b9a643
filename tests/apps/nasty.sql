WITH t(label) AS (VALUES ('plain'), ('a|b'), ('`code|x`'), ('*bold*'), ('_under_'), ('<b>x</b>'), ('# head'),
 ('"quoted"'), ('it''s'), ('two' || char(10) || 'lines'), ('日本語'), ('=cmd()'), ('-rm'), ('a\b'), ('\ x'), ('a,b;c'),
 ('[x](y)'), ('&amp; & <'), ('$x$ 50% ^ ~'), ('{a} \alpha'), ('- item'), ('1. one'), ('a_b_c'), ('--- -> (C) ...'),
 ('https://x.y/?a=b&c'), ('a2+| x'), ('[[link]] [fn:1]'), ('* * *'), ('||'), ('\|'), ('~~gone~~'), ('trailing \'),
 ('| lead'), ('a |'), ('<!-- c -->'), ('&#42;'), ('|==='), ('{empty}'), ('link:x[y]'), ('a::'), ('NOTE: x'), ('+++x+++'),
 ('((x))'), ('<<x>>'), ('. dot'), ('(TM) (R)'), ('a^2^ b~2~'), ('__x__'), ('a--b'), ('2*3*4'), ('C++'), ('...'))
SELECT label, 1 AS n FROM t
