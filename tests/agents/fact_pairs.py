"""Pairs of sentences about a harbour town of ours: those that say the same in other words, and those that only look like it."""

SAME = (
    ("The north pier was rebuilt in 1987.", "In 1987 the north pier was rebuilt."),
    ("The town has 12,400 inhabitants.", "The town is home to 12,400 people."),
    ("The lighthouse is 31 metres tall.", "The lighthouse stands 31 metres high."),
    ("Ada Brandt founded the Mirren Yard in 1904.", "The Mirren Yard was founded by Ada Brandt in 1904."),
    ("The ferry to Oxley takes 40 minutes.", "A crossing to Oxley by ferry takes 40 minutes."),
    (
        "The harbour was dredged to 9 metres in 2011.",
        "In 2011 the harbour was deepened to 9 metres by dredging.",
    ),
    ("The fish market opens at 6 every morning.", "Every morning the fish market opens at 6."),
    ("The old town hall burned down in 1911.", "A fire destroyed the old town hall in 1911."),
    ("The breakwater is made of granite.", "Granite was used to build the breakwater."),
    ("The mayor of Velden is Ivo Hale.", "Ivo Hale is the mayor of Velden."),
    ("Velden exports salted herring to Oxley.", "Salted herring is exported from Velden to Oxley."),
    ("The customs house was designed by Isolde Carrick.", "Isolde Carrick designed the customs house."),
    (
        "The port handled 1.2 million tonnes of cargo in 2019.",
        "In 2019, 1.2 million tonnes of cargo passed through the port.",
    ),
    ("The tide mill still grinds corn.", "The tide mill is still in use for grinding corn."),
    (
        "The Osprey was launched at the Mirren Yard in 1931.",
        "The Osprey, launched in 1931, was built at the Mirren Yard.",
    ),
    ("The swing bridge opens for ships twice a day.", "Twice a day the swing bridge is opened for ships."),
    ("Fishing employs 310 people in Velden.", "In Velden, 310 people work in fishing."),
    (
        "The seawall was raised by 2 metres after the flood of 1953.",
        "After the 1953 flood, the seawall was raised by 2 metres.",
    ),
    ("The museum keeps 4,000 glass negatives.", "There are 4,000 glass negatives in the museum."),
    ("The pilot boat is stationed at the east quay.", "The east quay is where the pilot boat is stationed."),
    ("A single ticket for the ferry costs 4 crowns.", "The ferry costs 4 crowns one way."),
    (
        "The dry dock can take ships of up to 180 metres.",
        "Ships up to 180 metres long fit into the dry dock.",
    ),
    ("The railway reached Velden in 1872.", "Velden was connected to the railway in 1872."),
    ("The school of navigation has 85 students.", "85 students attend the school of navigation."),
)
"""Each pair says one thing, in two ways."""

OTHER = (
    ("The north pier was rebuilt in 1987.", "The north pier was closed in 1987."),
    ("The north pier was rebuilt in 1987.", "The south pier was rebuilt in 1987."),
    ("The town has 12,400 inhabitants.", "The town has 12,400 trees."),
    ("The lighthouse is 31 metres tall.", "The lighthouse is 31 metres from the quay."),
    ("Ada Brandt founded the Mirren Yard in 1904.", "Ada Brandt left the Mirren Yard in 1904."),
    ("Ada Brandt founded the Mirren Yard in 1904.", "Ada Brandt sold the Mirren Yard in 1904."),
    ("The ferry to Oxley takes 40 minutes.", "The ferry to Oxley leaves every 40 minutes."),
    ("The harbour was dredged to 9 metres in 2011.", "The harbour was 9 metres deep before 2011."),
    ("The fish market opens at 6 every morning.", "The fish market closes at 6 every evening."),
    ("The old town hall burned down in 1911.", "The new town hall was built in 1911."),
    ("The breakwater is made of granite.", "The quay is made of granite."),
    ("The mayor of Velden is Ivo Hale.", "The brother of the mayor of Velden is Ivo Hale."),
    ("Velden exports salted herring to Oxley.", "Oxley exports salted herring to Velden."),
    ("The customs house was designed by Isolde Carrick.", "The customs house was painted by Isolde Carrick."),
    (
        "The port handled 1.2 million tonnes of cargo in 2019.",
        "The port exported 1.2 million tonnes of cargo in 2019.",
    ),
    ("The tide mill still grinds corn.", "The windmill still grinds corn."),
    (
        "The Osprey was launched at the Mirren Yard in 1931.",
        "The Osprey was scrapped at the Mirren Yard in 1931.",
    ),
    ("The swing bridge opens for ships twice a day.", "The lock opens for ships twice a day."),
    ("Fishing employs 310 people in Velden.", "Shipbuilding employs 310 people in Velden."),
    (
        "The seawall was raised by 2 metres after the flood of 1953.",
        "The seawall was lowered by 2 metres after the flood of 1953.",
    ),
    ("The museum keeps 4,000 glass negatives.", "The museum sold 4,000 glass negatives."),
    ("The pilot boat is stationed at the east quay.", "The lifeboat is stationed at the east quay."),
    ("A single ticket for the ferry costs 4 crowns.", "A return ticket for the ferry costs 4 crowns."),
    (
        "The dry dock can take ships of up to 180 metres.",
        "The floating dock can take ships of up to 180 metres.",
    ),
    ("The railway reached Velden in 1872.", "The railway left Velden in 1872."),
    ("The school of navigation has 85 students.", "The school of navigation has 85 teachers."),
    ("The pump house is not open to visitors.", "The pump house is open to visitors."),
    ("In 1907 12 ships called and in 1908 15.", "In 1907 15 ships called and in 1908 12."),
    ("The cranes were imported from Oxley in 1964.", "The cranes were exported to Oxley in 1964."),
    ("Passengers board the ferry at the west quay.", "Passengers leave the ferry at the west quay."),
)
"""Each pair says two things, with the same numbers, dates and names (but where they change places)."""

AGAINST = (
    ("The north pier is 412 metres long.", "The north pier is 420 metres long."),
    ("The harbour of Velden was opened in 1907.", "The harbour of Velden was opened in 1911."),
    ("The ferry to Oxley takes 40 minutes.", "The ferry to Oxley takes 55 minutes."),
    ("The lighthouse was designed by Ada Brandt.", "The lighthouse was designed by Ivo Hale."),
    ("The mayor of Velden is Ivo Hale.", "The mayor of Velden is Isolde Carrick."),
    ("A single ticket for the ferry costs 4 crowns.", "A single ticket costs 5 crowns on the ferry."),
    ("The pump house is open to visitors.", "The pump house is not open to visitors."),
    ("The dry dock can take ships of up to 180 metres.", "The dry dock takes ships of up to 160 metres."),
    ("The Mirren Yard was founded on 3 May 1904.", "The Mirren Yard was founded on 5 May 1904."),
    ("The town has 12,400 inhabitants.", "The town has 13,900 inhabitants."),
    ("灯塔高31米。", "灯塔高36米。"),
    ("码头于1907年建成。", "码头于1911年建成。"),
)
"""Each pair cannot be true together."""

BESIDE = (
    ("In 1907 the port had 12 ships.", "In 1908 the port had 15 ships."),
    ("The north pier is 412 metres long.", "The south pier is 420 metres long."),
    ("Ada Brandt was born in Velden.", "Ivo Hale was born in Velden."),
    ("A storm damaged the pier in 1953.", "A storm damaged the pier in 1987."),
    ("The museum shows paintings by Ada Brandt.", "The museum shows paintings by Ivo Hale."),
    ("The pier has 12 bollards.", "The pier has 3 cranes."),
    ("The ferry to Oxley takes 40 minutes.", "The ferry to Tarn takes 55 minutes."),
    ("The quay is 9 metres wide.", "The quay is 300 metres long."),
    ("The ferry calls at Oxley.", "The ferry calls at Tarn."),
    ("The lighthouse was built in 1871.", "The lighthouse was built on 3 May 1871."),
    ("The fish market opens at 6 in the morning.", "The fish market closes at 2 in the afternoon."),
    ("A single ticket costs 4 crowns.", "A return ticket costs 7 crowns."),
    ("Fishing employs 310 people in Velden.", "Shipbuilding employs 450 people in Velden."),
    ("The old mill was built in 1790.", "The new mill was built in 1880."),
)
"""Each pair can be true together."""
